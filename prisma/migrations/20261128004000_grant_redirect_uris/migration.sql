-- Where the newest consent of a grant returned to. With the verified domains of the client's directory entry, this decides
-- whether the wallet shows the client as verified. NULL for earlier grants: all redirect URIs of the client count then.
ALTER TABLE "grant" ADD COLUMN redirect_uri text;

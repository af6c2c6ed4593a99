import { expect, test } from "vitest";
import { toCsvLine } from "./csv.ts";

test.each([
  [["a", "b"], "a,b\r\n"],
  [["a,b", 'say "x"', "two\nlines"], '"a,b","say ""x""","two\nlines"\r\n'],
  [["=1+1", "+49", "-x", "@SUM(A1)", "\tx"], "'=1+1,'+49,'-x,'@SUM(A1),\"'\tx\"\r\n"],
  [['=HYPERLINK("a",1)'], '"\'=HYPERLINK(""a"",1)"\r\n'],
  [["Order 7;=1+1", "a;b", "x\n=1+1"], '"Order 7;\'=1+1","a;b","x\n\'=1+1"\r\n'],
  [[" =1+1", "\uFF1D1+1", "7-8=x", "a - b"], "' =1+1,'\uFF1D1+1,7-8=x,a - b\r\n"],
  [["-12.50", "12", "", "-"], "-12.50,12,,-\r\n"],
])("writes %j (RFC 4180)", (cells, line) => expect(toCsvLine(cells)).toBe(line));

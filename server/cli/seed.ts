process.stdout.write("later\n");

/** The scripts are JavaScript, whose own types `tsc -p scripts` checks; here they are taken as they are. */
declare module "*.mjs";

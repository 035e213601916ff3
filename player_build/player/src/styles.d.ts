// Lets modules import style sheets, which the build collects.

declare module "*.css" {}

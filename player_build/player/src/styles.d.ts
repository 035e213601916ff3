declare module "*.css" {}

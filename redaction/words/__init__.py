"""Words that are everybody's: of the web, of programs, of interfaces."""

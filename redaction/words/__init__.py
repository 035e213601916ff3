"""List common words: of the web, of programs, of interfaces, of English."""

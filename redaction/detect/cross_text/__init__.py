"""Drop or change findings in a text by the other texts that are searched together with it.

Examples are names of programs, lists of countries and strings of a translation file.
"""

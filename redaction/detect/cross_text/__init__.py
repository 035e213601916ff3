"""Drop or change findings in a text by the other texts that are searched together with it: names of programs, lists of
countries, strings of a translation file.
"""

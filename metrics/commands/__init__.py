"""The commands of ``rankscope``, one file each; a command returns the text to print."""

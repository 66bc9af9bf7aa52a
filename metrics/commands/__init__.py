"""The commands of ``rankscope``, one file each; each command returns the text to print."""

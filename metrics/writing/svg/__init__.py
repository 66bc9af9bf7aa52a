"""Charts as SVG: the shapes of a figure drawn as text, without a browser."""

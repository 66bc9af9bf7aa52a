"""Teaching material: samples, worked examples, exercises, pitfalls, and a glossary."""

"""Tables with named columns: CSV and its kin, Parquet."""

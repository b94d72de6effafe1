# What docs/study.md says of real data.
texts=../shared/data/araucaria
aifgraph agreement $texts $texts --pairs $texts/same_text_pairs.tsv --layer propositional --intervals
aifgraph plan $texts $texts --pairs $texts/same_text_pairs.tsv --width 0.1 --plot plan.svg
aifgraph merge $texts $texts --pairs $texts/same_text_pairs.tsv --prefer both -o gold-araucaria
aifgraph check gold-araucaria --summary

aifgraph evaluate ../shared/data/dialam-2024/test/gold ../shared/data/dialam-2024/test/system

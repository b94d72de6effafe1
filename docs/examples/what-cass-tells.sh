# Every number of docs/what-cass-tells.md, from data of which ../shared/data has copies.
data=../shared/data
texts=$data/araucaria
for corpus in us2016 microtexts/aifdb araucaria; do
  for kind in units chain star; do
    aifgraph baseline $data/$corpus --kind $kind -o $kind.zip
    aifgraph compare $data/$corpus $kind.zip --top 0
  done
done
grep -v identical $texts/same_text_pairs.tsv > different.tsv
aifgraph compare $texts $texts --pairs different.tsv --chance 100 --top 0
aifgraph compare $texts $texts --pairs different.tsv --chance 100 --top 0 --meaning ../shared/models/all-minilm-l6-v2-int8
for kind in star chain; do
  aifgraph baseline $texts --kind $kind -o $kind.zip
  aifgraph compare $texts $kind.zip --pairs different.tsv
done
aifgraph compare $data/dialam-2024/test/gold $data/dialam-2024/test/system --chance 100 --top 0
aifgraph perturb $data/us2016 --draws 3 --shares 20,40,60,80,100 --plot what-moves-cass.png \
  --kinds segmentation+boundaries+merged+dropped+spurious+types+reversed+attachment+illocutions

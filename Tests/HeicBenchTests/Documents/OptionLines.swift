#if os(Linux)
  /// Command lines for options and values that no document shows, run like documents. A comment at the end of a line
  /// states its exit code, unless it is 0. Each block has its own folder.
  enum OptionLines {
    static let blocks: [CommandBlock] = [
      block(
        "sweep",
        """
        heicbench --files images.txt --limit 1 --max-pixels 1 --exclude 'x*' --codec jpeg --qualities 0.5,0.9 --metrics psnr-y,psnr-rgb,ssim,ms-ssim,dssim,psnr-hvs,butteraugli,butteraugli-3norm --background black --downscale 2 --jobs 1 --memory 1GiB --timeout 60 --memory-per-job 2GiB --nice --repeat 2 --order image --score 30,40 --band 30...40 --headline psnr-y --out once --format csv --quiet --no-embed --title Once --images all --keep-encoded kept --require-sandbox
        heicbench sweep images/a.png -j 1 --codec jpeg --qualities 0.5 --chroma given --depth given --metrics none --background white --order coarse --refine off -o twice --format json -q --fresh --embed --images none
        heicbench images/a.png --codec jpeg --qualities 0.5 --metrics all --refine on --output twice --format markdown --retry-failed --verbose --images none
        heicbench images/a.png --codec heic:preset=ultrafast --depth both --qualities 0.5 --images none --output deep
        heicbench images --sample 1 --seed 2 --codec jpeg --qualities 0.5 --images none --output drawn
        heicbench shards images --minutes 1 --sample 1 --seed 2 --codec jpeg --qualities 0.5 --output cut && heicbench shards images --codec jpeg --qualities 0.5 -o cut && heicbench shards images --codec jpeg --qualities 0.5 --out cut
        heicbench images/a.png --codec jpeg --target bytes=3kB --output fitting --images none
        heicbench images/a.png --codec jpeg --qualities 0.5 --time --output timed --images none --shard 1/1
        heicbench images/a.png --codec jpeg --qualities 0.5,0.9 --time-qualities 0.9 --output timed --images none
        heicbench images/a.png --codec jpeg --qualities 0.5 --images none --metric-command 'one:lower=sh -c "echo 1" {reference} {distorted}' --metric-command 'two:higher=sh -c "echo 2" {reference} {distorted}'
        for headline in psnr-y psnr-rgb ssim ms-ssim ssimulacra2 dssim psnr-hvs butteraugli butteraugli-3norm; do heicbench images/a.png --codec jpeg --qualities 0.5 --metrics all --images none --output headlines --headline $headline || exit; done
        """),
      block(
        "HDR",
        """
        heicbench hdr --light file --codec heic:depth=10 --qualities 0.5 --metrics pu21-psnr,pu21-ms-ssim,itp-mean,itp-p95 --images none
        for light in pq hlg hlg=600 white white=100; do heicbench images/a.png --light $light --codec heic:depth=10,preset=ultrafast --qualities 0.5 --images none --output $light || exit; done
        for light in file pq hlg; do heicbench score hdr/a.png hdr/b.png --light $light --metrics pu21-psnr,pu21-ms-ssim,itp-mean,itp-p95 || exit; done
        heicbench score a.png a.jpg --light white=203
        for share in 1/1 1/2 1/4; do heicbench hdr --codec avif:gainmap=$share,map-channels=3,speed=9 --qualities 0.5 --images none || exit; done
        """),
      block(
        "sweep with all codecs",
        """
        heicbench photos --codec jpeg --codec heic --codec avif --codec webp --codec jxl --qualities 0.3,0.5,0.7,0.9 --metrics ssimulacra2 --output five --images none
        heicbench recommend five --score 80 --for web --share 50% --codec jpeg --codec avif --decode-cpu 5000ms/MP --headline ssimulacra2 --format json
        heicbench recommend five --score 80 --for apple
        heicbench recommend five --score 80 --for android
        heicbench recommend five --score 80 --for archive
        heicbench recommend five --score 80 --format text
        """),
      block(
        "sweep with builds",
        """
        heicbench images/a.png --codec jpeg --codec jpeg@moz --build moz=builds/mozjpeg --decoder own --qualities 0.5 --images none --output own
        heicbench images/a.png --codec jpeg --codec jpeg@moz --build moz=builds/mozjpeg --decoder system --qualities 0.5 --images none --output own
        """),
      block(
        "gate",
        """
        printf 'thresholds:\\n  total-bytes: 1\\n' >gate.yml
        heicbench images --qualities 0.5,0.7,0.8,0.9 --metrics ssimulacra2,psnr-y --images none --baseline results/baseline.csv --threshold total-bytes=1 --config gate.yml --fail-on regression --ratchet --junit sweep.xml
        heicbench images --qualities 0.5,0.7,0.8,0.9 --metrics ssimulacra2,psnr-y --images none --baseline results/baseline.csv --fail-on improvement
        heicbench check --baseline results/baseline.csv --config gate.yml --fail-on improvement --format json --score 70 --band 60...80
        heicbench check --baseline results/baseline.csv --fail-on regression --format markdown
        heicbench check --baseline no-such.csv # exits with 74
        awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "encoded_bytes") c = i } NR > 1 { $c = int($c / 2) } 1' main.csv >smaller.csv
        heicbench check --baseline smaller.csv --current results # exits with 1
        sed -i 's/,measured,/,failed,/' main.csv && heicbench check --baseline main.csv # exits with 74
        heicbench check --write - >/dev/null && heicbench check --current shard-1 --force --write forced.csv && heicbench check --write again.csv
        """),
      block(
        "failures",
        """
        heicbench odd --codec jpeg --qualities 0.5 --output failing --images none # exits with 3
        heicbench report failing --failures --format text
        heicbench images/a.png --codec jpeg --qualities 0.5 --metrics psnr-y --metric-command 'broken=false {reference} {distorted}' --output broken --images none # exits with 3
        heicbench report broken --failures
        heicbench report failing --failures --format csv
        heicbench report failing --failures --format json && heicbench failures failing
        """),
      block(
        "headlines",
        """
        heicbench photos --qualities 0.5,0.9 --metrics all --images none --output full --quiet && heicbench check --current full --write full.csv && cp -R full again
        for headline in psnr-y psnr-rgb ssim ms-ssim ssimulacra2 dssim psnr-hvs butteraugli butteraugli-3norm; do heicbench report full --format markdown --headline $headline && heicbench check --baseline full.csv --current full --headline $headline && heicbench report full again --headline $headline && heicbench merge merged full --headline $headline && heicbench import --reference photos phone=from-phone --output full --images none --headline $headline || exit; done
        heicbench report full again --format json --score 70 --band 60...80 && heicbench report full again full/measurements.csv --format markdown
        heicbench compare full again --format json --score 70 --band 60...80 --headline dssim && heicbench compare full again --format markdown
        heicbench merge merged full --score 70 --band 60...80 --quiet && heicbench merge merged full -q
        heicbench report full --format html --score 70 --band 60...80 --embed --images all --corpus photos
        heicbench report full --format csv && heicbench report full --format json && heicbench report full --format totals && heicbench report full --format parquet && heicbench report full --format codec-compare
        heicbench report full --no-embed --images none --title Full --require-sandbox
        """),
      block(
        "import",
        """
        printf 'reference,file\\na.png,b.heic\\n' >pairs.csv
        heicbench import --reference photos phone=from-phone --pairs pairs.csv --exclude 'x*' --out results --jobs 1 --memory 1GiB --fresh --quiet --score 70 --band 60...80 --images none --embed --title Phone # exits with 3
        heicbench photos --qualities 0.5,0.9 --images none --output own --metric-command 'one:lower=sh -c "echo 1" {reference} {distorted}' --metric-command 'two:higher=sh -c "echo 2" {reference} {distorted}'
        heicbench import --reference photos phone=from-phone -o own -j 1 -q --require-sandbox --no-embed --images all --metric-command 'one:lower=sh -c "echo 1" {reference} {distorted}' --metric-command 'two:higher=sh -c "echo 2" {reference} {distorted}'
        """),
      block(
        "decode",
        """
        heicbench decode --files images.txt --limit 1 --max-pixels 1 --exclude 'x*' --shard 1/1 --size 64,full --region none --codec heic@new --build new=builds/libheif-1.8.1 --decoder own --qualities 0.5 --score 60 --bandwidth 10 --repeat 1 --jobs 1 --memory 1GiB --images none --no-embed --title Reads -o reads --quiet --timeout 60 --memory-per-job 2GiB --nice --require-sandbox
        heicbench decode images/a.png --hdr-original hdr/ --size 64 --region none --metrics psnr-y,psnr-rgb,ssim,ms-ssim,ssimulacra2,dssim,psnr-hvs,butteraugli,butteraugli-3norm --metric-command 'one:lower=sh -c "echo 1" {reference} {distorted}' --metric-command 'two:higher=sh -c "echo 2" {reference} {distorted}' --images none --output scored && heicbench decode images/a.png --size 64 --metrics all --images none --output scored && heicbench decode images/a.png --size 64 --metrics none --images none --output scored
        heicbench decode images/a.png --size 64 --codec heic@new --build new=builds/libheif-1.8.1 --decoder system -j 1 --fresh --retry-failed --time --embed --images all --out reads -q
        """),
      block(
        "thumbnails",
        """
        heicbench thumbnails images small --size 64 --format png --jobs 1 --memory 1GiB --max-pixels 1 --exclude 'x*' --quiet --timeout 60 --memory-per-job 2GiB --nice --require-sandbox
        heicbench thumbnails images small --size 64,32 --format jpeg --quality 0.7 --score 60 --fresh -j 1 -q
        heicbench thumbnails images small --size 64 --format heic && heicbench thumbnails images small --size 64 --format avif
        """),
      block(
        "tiles",
        """
        heicbench tiles measure --files images.txt --limit 1 --max-pixels 1 --exclude 'x*' --shard 1/1 --codec heic@new --build new=builds/libheif-1.8.1 --qualities 0.5 --tile-size 64 --overlap 2 --viewport 64x64 --downscale 1 --jobs 1 --memory 1GiB --out cuts --quiet --timeout 60 --memory-per-job 2GiB --nice --require-sandbox
        heicbench tiles measure images/a.png --codec jpeg --tile-size 64 --metrics ssim -j 1 --time --fresh --retry-failed -o cuts -q
        heicbench tiles export map.png deep --layout dzi --codec jpeg --quality 0.7 --tile-size 256 --overlap 1 --downscale 2 --max-pixels 1 --exclude 'x*' --jobs 1 --memory 1GiB --quiet --timeout 60 --memory-per-job 2GiB --nice --require-sandbox
        heicbench tiles export map.png deep --layout names --base-only -j 1 -q
        heicbench tiles export map.png deep --title 'An old map' --licence 'CC BY 4.0'
        heicbench tiles export map.png deep --layout iiif --address https://example.com/tiles/
        heicbench tiles export a.png deep --tile-size 64 --codec heic:preset=ultrafast --pad --base-only
        heicbench tiles pack 0_0.heic 1_0.heic 0_1.heic 1_1.heic one.heic --columns 2 --require-sandbox
        """),
      block(
        "view",
        """
        for attempt in 1 2 3 4 5; do heicbench view photos --port $((20000 + RANDOM % 20000)) --max-pixels 1 --exclude 'x*' --codec jpeg@moz --build moz=builds/mozjpeg && break; done || exit
        heicbench view photos --blind -o own && heicbench view photos --blind --out own && heicbench view photos --blind --output own
        heicbench view photos --ipv6 --metrics ssim --require-sandbox || [ ! -s /proc/net/if_inet6 ]
        """),
      block(
        "convert-check and generations",
        """
        CI_NODE_INDEX=1 CI_NODE_TOTAL=1 heicbench convert-check --files images.txt --limit 1 --max-pixels 1 --exclude 'x*' --shard auto --score 80 --codec jpeg --sample 1 --seed 2 --jobs 1 --memory 1GiB --timeout 60 --memory-per-job 2GiB --nice --budget 10m --format text --quiet
        heicbench convert-check images/a.png --codec jpeg -j 1 -q --require-sandbox
        CI_NODE_INDEX=1 CI_NODE_TOTAL=1 heicbench generations --files images.txt --limit 1 --max-pixels 1 --exclude 'x*' --shard auto --codec jpeg --qualities 0.5 --generations 2 --metrics psnr-y --jobs 1 --memory 1GiB --timeout 60 --memory-per-job 2GiB --nice --out chain --quiet
        heicbench generations images/a.png --fresh --retry-failed --codec jpeg --qualities 0.5 --generations 2 -j 1 -o chain -q --require-sandbox && heicbench generations images/b.png --codec jpeg --qualities 0.5 --generations 2 --output chain
        """),
      block(
        "tune",
        """
        heicbench tiles export map.png deep --layout names --base-only --codec jpeg --tile-size 256 --quality 0.95 -q && mkdir album && cp $(find deep -name '*.jpg') album && ls album/*.jpg >album.txt
        CI_NODE_INDEX=1 CI_NODE_TOTAL=1 heicbench tune --files album.txt --limit 11 --max-pixels 1 --exclude 'x*' --shard auto --codec jpeg@moz --build moz=builds/mozjpeg --score 60 --cpu 9000ms/MP --seed 2 --downscale 1 --jobs 1 --memory 1GiB --timeout 60 --memory-per-job 2GiB --nice --budget 10m --format text --out tuned --quiet
        heicbench tune $(head -5 album.txt) --confirm album --codec jpeg --score 60 -j 1 -o tuned -q --require-sandbox --format json && heicbench tune album --codec jpeg --keep chroma --score 60 --output tuned --retry-failed
        """),
      block(
        "bisect",
        """
        CI_NODE_INDEX=1 CI_NODE_TOTAL=1 heicbench bisect --files images.txt --limit 1 --max-pixels 1 --exclude 'x*' --shard auto --build one=builds/libheif-0.10.1 --build two=builds/libheif-0.21.0 --decoder own --codec heic:preset=ultrafast --quality 0.4 --of bytes,score,encode,decode --threshold 50 --rounds 5 --comparison-time 5s --format json --quiet
        heicbench bisect phone --as-found --build one=builds/libheif-0.10.1 --build two=builds/libheif-0.21.0 --decoder system --rounds 5 --format text -q --require-sandbox
        """),
      block(
        "score and codecs",
        """
        for metric in all psnr-y psnr-rgb ssim ms-ssim ssimulacra2 dssim psnr-hvs butteraugli butteraugli-3norm; do heicbench score a.png a.jpg --metrics $metric || exit; done
        for format in table csv json; do heicbench score a.png a.jpg --metrics psnr-y --format $format --require-sandbox || exit; done
        heicbench codecs --format text && heicbench codecs --format json
        for shell in bash zsh fish; do heicbench --generate-completion-script $shell || exit; done
        """),
      block(
        "a shard of another kind",
        """
        CORPUS=/data/images RESULTS=/data/results COMMAND="decode --codec heic --size 64,full" sbatch --array=1-2 sweep-part.sh
        CORPUS=/data/images RESULTS=/data/results COMMAND="tiles measure --codec heic" sbatch --array=1-2 sweep-part.sh
        """),
      // Their messages name a command that would work.
      block(
        "slips",
        """
        heicbench --quiet # exits with 64
        heicbench thumbnails photos/ # exits with 64
        heicbench check # exits with 64
        heicbench check --baseline results/baseline.csv --output b.csv # exits with 64
        heicbench check --write - --baseline results/baseline.csv # exits with 64
        heicbench check --baseline results/baseline.csv --reads # exits with 64
        heicbench check --write - --ratchet # exits with 64
        heicbench report --failures --format html # exits with 64
        heicbench report --format text # exits with 64
        heicbench report --failures --title Failures # exits with 64
        heicbench report results shard-1 --failures # exits with 64
        heicbench report results shard-1 --title Both # exits with 64
        heicbench report results shard-1 --format csv # exits with 64
        heicbench check --write - --format json # exits with 64
        heicbench check --current raw --write raw.csv # exits with 74
        heicbench baseline shard-1 # exits with 74
        """),
    ]

    private static func block(_ name: String, _ text: String) -> CommandBlock {
      CommandBlock("options of \(name)", text.split(separator: "\n").map(String.init))
    }

    /// Help, in both spellings, and the version of every command.
    static func meta(of tree: OptionTree) -> CommandBlock {
      let lines = tree.commands.flatMap { path, command in
        (command.arguments ?? []).filter { ["version", "help"].contains($0.valueName) && $0.shouldDisplay }
          .flatMap(\.spellings).map { "heicbench \(path) \($0)" }
      }
      return CommandBlock("help and version", lines)
    }
  }
#endif

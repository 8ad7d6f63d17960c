#!/bin/sh
# Makes the table and the seeds of the target `recording`: `make-seeds.sh FAULTLINE`, in this folder.
set -eu
faultline=$(realpath "$1")
here=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat > loop.c <<'PROGRAM'
#include <string.h>
int cells[8], sum;
static int twice(int x) { return 2 * x; }
int main(int argc, char **argv) {
    char text[8];
    for (int i = 0; i < 8; i++)
        cells[i] = twice(i);
    strcpy(text, "seven");
    for (int i = 0; i < argc; i++)
        sum += cells[i] / argc + text[i];
    return *(volatile int *)argv[argc];
}
PROGRAM
"$faultline" cc -g -O1 "-fdebug-prefix-map=$work=/src" loop.c -o loop
mkdir -p "$here/tables" "$here/seeds/recording"
objcopy --dump-section ".faultline=$here/tables/loop.table" loop copy

little() { printf "\\$(printf %03o $(($1 % 256)))\\$(printf %03o $(($1 / 256)))"; }

for mode in invariants exact trace; do
    mkdir "$mode"
    FAULTLINE_OBSERVE=$mode FAULTLINE_OBSERVE_DIR=$mode ./loop > crash 2>&1 || true
    cd "$mode"
    cat ./*.window 2> /dev/null | head -c 800 > a.window || true
    touch a.process a.counters a.globals a.trace
    sed "s,$work,/src,; s/^process .*/process 7/; s/^\(signal .* thread\) [0-9]*/\1 7/" ./*-0.process > a.process
    for kind in counters globals; do cat ./*-0.$kind > a.$kind 2> /dev/null || true; done
    {
        for kind in process counters globals trace; do little "$(wc -c < a.$kind)"; done
        cat a.process a.counters a.globals a.trace a.window
    } > "$here/seeds/recording/$mode"
    cd ..
done

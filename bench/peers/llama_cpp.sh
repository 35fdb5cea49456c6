#!/usr/bin/env bash
# Builds llama.cpp as the baseline of the speed comparisons: llama-cpp-python 0.3.36 (llama.cpp 0c1e57098) in a virtual environment of its own.
#
#     bench/peers/llama_cpp.sh                 into ${TOKENLOOM_PEERS:-~/.cache/tokenloom-peers}/llama_cpp
#     bench/peers/llama_cpp.sh --for avx2      for less than this processor has (avx2 or avx512); the directory is named after it
#
# A baseline must be built well or the comparison says nothing:
# - clang, not gcc 12: that one drops the operand of ldtilecfg, and the result crashes in every quantized prompt on a processor with AMX.
# - clang 14's -march=native does not include AMX, and its names for the feature macros are not those llama.cpp looks for, so both are given.
# - GGML_NATIVE is off, since it would let cmake add flags of its own to ours.
# It takes some minutes. Loading a model with verbose=True must then print "AMX model buffer" on a processor with amx_int8.
set -euo pipefail

level=native
[[ ${1:-} == --for ]] && level=${2:?"--for needs avx2 or avx512"}
root=${TOKENLOOM_PEERS:-${XDG_CACHE_HOME:-$HOME/.cache}/tokenloom-peers}
more=
case $level in
  native)
    name=llama_cpp flags=-march=native
    if grep -qw amx_int8 /proc/cpuinfo; then
      flags="-march=sapphirerapids -D__AMX_INT8__=1 -D__AMX_TILE__=1 -D__AMX_BF16__=1"
    fi ;;
  avx512) name=llama_cpp-avx512 flags=-march=icelake-server ;;
  avx2) name=llama_cpp-avx2 flags=-march=haswell more=-DGGML_AVX512=OFF ;;
  *) echo "llama_cpp.sh: no such level: $level (avx2, avx512)" >&2; exit 2 ;;
esac

if ! command -v clang >/dev/null; then
  echo "llama_cpp.sh: clang is needed (on Debian and Ubuntu: apt install clang)" >&2
  exit 1
fi

venv=$root/$name
mkdir -p "$root"
python3 -m venv "$venv"
"$venv/bin/pip" install -q numpy
CC=clang CXX=clang++ CFLAGS=$flags CXXFLAGS=$flags CMAKE_ARGS="-DGGML_NATIVE=OFF $more" \
  "$venv/bin/pip" install -q --no-cache-dir --no-binary llama-cpp-python llama-cpp-python==0.3.36
"$venv/bin/python" -c 'import llama_cpp as l; print("llama-cpp-python", l.__version__, l.llama_print_system_info().decode())'
echo "$venv"

#!/usr/bin/env bash
# openvino-genai in a virtual environment of its own: openvino.sh [DEST]
set -euo pipefail
dest=${1:-${TOKENLOOM_PEERS:-$HOME/.cache/tokenloom-peers}/openvino}
python3 -m venv "$dest"
"$dest/bin/python" -m pip install -q "openvino-genai>=2026.4"
"$dest/bin/python" -c 'import openvino_genai; print("openvino-genai", openvino_genai.__version__)'

#!/bin/bash
# package.sh BUILD: from a build whose prefix is /usr, Debian packages in BUILD/packages, and in a clone the source archive of
# the last commit. The same commit gives the same bytes.
set -euo pipefail
build=$(realpath "$1")
cd "$(dirname "$0")/.."
version=$(sed -n 's/^#define CAROM_VERSION "\(.*\)"/\1/p' carom/version.h)
mkdir -p "$build/packages"
if [[ -e .git ]]; then
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
  git archive --format=tar.gz --prefix="carom-$version/" -o "$build/packages/carom-$version.tar.gz" HEAD
fi
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(date +%s)}
umask 022
cd "$build"
cpack --config CPackConfig.cmake
rm -rf packages/_CPack_Packages
ls -l packages

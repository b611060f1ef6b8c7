// SPDX-License-Identifier: MIT
#include "app/cli.h"

int main(int argc, char** argv) { return warpscope::run_cli(argc, argv); }

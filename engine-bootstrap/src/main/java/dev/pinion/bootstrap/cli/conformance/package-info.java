/** The command that runs conformance scenarios. */
@NullMarked
package dev.pinion.bootstrap.cli.conformance;

import org.jspecify.annotations.NullMarked;

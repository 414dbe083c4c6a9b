/** Runs conformance scenarios, written in Gherkin, against engines in this process, and reports. */
@NullMarked
package dev.pinion.bootstrap.conformance;

import org.jspecify.annotations.NullMarked;

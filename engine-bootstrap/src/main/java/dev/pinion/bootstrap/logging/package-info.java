/** Format of log lines: JSON for machines, text for people. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.logging;

/** Settings of serve: keys, sources, parsing. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.settings;

/**
 * Settings of the parent and of its children: keys with their checks, sources, and the lines in
 * which children receive them.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.settings;

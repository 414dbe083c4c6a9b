/**
 * Which concrete service answers a call, and which callers it serves: the broker's port and tables.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.binding;

/** Secrets: where their values come from, and how long they are used. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.secret;

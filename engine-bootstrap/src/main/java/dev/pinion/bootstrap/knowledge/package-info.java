/** The knowledge of the broker, in the database of the history. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.knowledge;

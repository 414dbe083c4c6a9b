/** What the broker remembers, in the database that the history is kept in. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.knowledge;

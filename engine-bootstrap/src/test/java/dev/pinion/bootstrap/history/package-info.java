/** Tests of the history of instances. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.history;

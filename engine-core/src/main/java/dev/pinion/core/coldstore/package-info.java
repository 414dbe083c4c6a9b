/** Storage off the heap for values of waiting instances. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.coldstore;

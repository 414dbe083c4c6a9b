/** Storage off the heap for values of waiting instances: the port */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.coldstore;

/** External events: store, tables, writer thread. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.events;

/** Connections to databases by way of JDBI, for handlers, hosts, history, events and knowledge. */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers.sql;

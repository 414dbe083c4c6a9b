/** The broker's process: lifecycle, endpoint probes, knowledge in SQL. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.brokerd;

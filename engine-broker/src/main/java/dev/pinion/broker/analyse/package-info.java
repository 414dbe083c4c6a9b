/** Rules that turn statistics into causes, and estimates for plans (MAPE-K: analyse). */
@org.jspecify.annotations.NullMarked
package dev.pinion.broker.analyse;

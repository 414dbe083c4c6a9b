/** The one port in front of several replicas: accepts connections and hands them over. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.dispatch;

/** Who is told what instances did, and the sending of it: CloudEvents over HTTP. */
@org.jspecify.annotations.NullMarked
package dev.pinion.bootstrap.publish;

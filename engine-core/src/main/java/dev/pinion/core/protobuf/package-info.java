/** Interface definitions of gRPC services, read from the text of {@code .proto} files. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.protobuf;

package dev.pinion.core.protobuf;

/**
 * The text of a {@code .proto} file.
 *
 * @param name its name, unique among the files that belong together
 * @param text its text
 */
public record ProtoDocument(String name, String text) {}

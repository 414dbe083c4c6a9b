package dev.pinion.handlers.builtin.convert;

import java.util.Locale;

/** Kinds of media types (RFC 6838), regardless of parameters. */
final class ConvertibleTypes {
  private ConvertibleTypes() {}

  static boolean isXml(String mediaType) {
    String essence = essence(mediaType);
    return essence.equals("application/xml")
        || essence.equals("text/xml")
        || essence.endsWith("+xml");
  }

  static boolean isJson(String mediaType) {
    String essence = essence(mediaType);
    return essence.equals("application/json") || essence.endsWith("+json");
  }

  static boolean isCsv(String mediaType) {
    return essence(mediaType).equals("text/csv");
  }

  private static String essence(String mediaType) {
    int end = mediaType.indexOf(';');
    return (end < 0 ? mediaType : mediaType.substring(0, end)).strip().toLowerCase(Locale.ROOT);
  }
}

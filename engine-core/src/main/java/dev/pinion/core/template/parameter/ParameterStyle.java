package dev.pinion.core.template.parameter;

/** How the value of a parameter becomes text (OpenAPI, "Style Values"; RFC 6570). */
public enum ParameterStyle {
  /** Items with commas: paths and header fields. */
  SIMPLE(","),
  /** Items behind dots, in paths. */
  LABEL(","),
  /** Names and values behind semicolons, in paths. */
  MATRIX(","),
  /** Names and values: queries, cookies and forms. */
  FORM(","),
  /** As {@link #FORM}; items of one value stand with spaces. */
  SPACE_DELIMITED(" "),
  /** As {@link #FORM}; items of one value stand with bars. */
  PIPE_DELIMITED("|"),
  /** As {@link #FORM}; items of one value stand with tabs: OpenAPI 2 only. */
  TAB_DELIMITED("\t"),
  /** A name with the member in brackets for each member of an object. */
  DEEP_OBJECT(","),
  /** JSON text. */
  JSON(",");

  private final String delimiter;

  ParameterStyle(String delimiter) {
    this.delimiter = delimiter;
  }

  /** What stands between the items of one value. */
  String delimiter() {
    return delimiter;
  }
}

package dev.pinion.bootstrap.diagram;

/**
 * Colours and fonts. The picture brings its own ground, so it can be read on pages of any colour;
 * on dark screens it is dark.
 */
final class PictureStyle {
  /** Size of names. */
  static final double NAME = 13;

  /** Size of all other texts. */
  static final double SMALL = 11;

  /** Height of a line of text. */
  static final double LINE = 15;

  /** The style sheet. */
  static final String SHEET =
      """
      text { font-family: 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif; }
      .name { font-size: 13px; font-weight: bold; fill: #1f2328; }
      .kind, .detail, .label { font-size: 11px; fill: #424a53; }
      .ground { fill: #ffffff; stroke: #d0d7de; }
      .frame { fill: #f6f8fa; stroke: #57606a; }
      .inner { fill: #ffffff; stroke: #57606a; }
      .step { fill: #ddf4ff; stroke: #0550ae; }
      .event { fill: #fff8c5; stroke: #7d4e00; stroke-width: 1.5; }
      .error { fill: #ffebe9; stroke: #a40e26; stroke-width: 1.5; }
      .handler { fill: #ffebe9; stroke: #a40e26; stroke-dasharray: 5 3; }
      .undo { fill: #ffffff; stroke: #57606a; stroke-dasharray: 2 3; }
      .bold { stroke-width: 3; }
      .mark { fill: none; stroke: #1f2328; stroke-width: 1.5; }
      .solid { fill: #1f2328; stroke: #1f2328; }
      .plate { fill: #ffffff; stroke: none; }
      .flow { fill: none; stroke: #57606a; stroke-width: 1.3; }
      .caught { fill: none; stroke: #a40e26; stroke-width: 1.3; stroke-dasharray: 5 3; }
      .undone { fill: none; stroke: #57606a; stroke-width: 1.3; stroke-dasharray: 2 3; }
      .tip { fill: #57606a; stroke: none; }
      @media (prefers-color-scheme: dark) {
        .name { fill: #f0f6fc; }
        .kind, .detail, .label { fill: #c9d1d9; }
        .ground { fill: #0d1117; stroke: #3d444d; }
        .frame { fill: #161b22; stroke: #9198a1; }
        .inner { fill: #0d1117; stroke: #9198a1; }
        .step { fill: #12283f; stroke: #58a6ff; }
        .event { fill: #332a0b; stroke: #e3b341; }
        .error { fill: #3c1418; stroke: #ff7b72; }
        .handler { fill: #3c1418; stroke: #ff7b72; }
        .undo { fill: #0d1117; stroke: #9198a1; }
        .mark { stroke: #f0f6fc; }
        .solid { fill: #f0f6fc; stroke: #f0f6fc; }
        .plate { fill: #0d1117; }
        .flow { stroke: #9198a1; }
        .caught { stroke: #ff7b72; }
        .undone { stroke: #9198a1; }
        .tip { fill: #9198a1; }
      }
      """;

  private PictureStyle() {}
}

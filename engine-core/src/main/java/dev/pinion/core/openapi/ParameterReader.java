package dev.pinion.core.openapi;

import dev.pinion.core.template.parameter.ParameterStyle;
import dev.pinion.core.template.parameter.StyledParameter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads parameters. One that cannot be sent has a problem, which matters where it is used: authors
 * of definitions cannot correct documents of others.
 */
final class ParameterReader {
  private static final Map<String, ParameterStyle> STYLES =
      Map.of(
          "simple", ParameterStyle.SIMPLE,
          "label", ParameterStyle.LABEL,
          "matrix", ParameterStyle.MATRIX,
          "form", ParameterStyle.FORM,
          "spaceDelimited", ParameterStyle.SPACE_DELIMITED,
          "pipeDelimited", ParameterStyle.PIPE_DELIMITED,
          "deepObject", ParameterStyle.DEEP_OBJECT);

  /** Styles by place (OpenAPI 3.1, "Style Values"). */
  private static final Map<ParameterPlace, Set<ParameterStyle>> FITTING =
      Map.of(
          ParameterPlace.PATH,
          Set.of(ParameterStyle.SIMPLE, ParameterStyle.LABEL, ParameterStyle.MATRIX),
          ParameterPlace.QUERY,
          Set.of(
              ParameterStyle.FORM,
              ParameterStyle.SPACE_DELIMITED,
              ParameterStyle.PIPE_DELIMITED,
              ParameterStyle.DEEP_OBJECT),
          ParameterPlace.HEADER,
          Set.of(ParameterStyle.SIMPLE),
          ParameterPlace.COOKIE,
          Set.of(ParameterStyle.FORM));

  private final boolean isSecondGeneration;

  /** A reader for a generation of OpenAPI. */
  ParameterReader(boolean isSecondGeneration) {
    this.isSecondGeneration = isSecondGeneration;
  }

  /** A parameter; nothing for one without a name, and for parts of a body. */
  Optional<ApiParameter> parameter(ApiValue declared) {
    String name = declared.text("name");
    String in = declared.text("in");
    ParameterPlace place = ParameterPlace.of(in).orElse(null);
    if (name.isEmpty()) {
      return Optional.empty();
    }
    if (place == null) {
      return in.equals("querystring")
          ? Optional.of(ofWholeQuery(name, declared))
          : Optional.empty();
    }
    boolean required = place == ParameterPlace.PATH || declared.flag("required");
    if (isSecondGeneration) {
      StyledParameter form = formerForm(name, place, declared);
      return Optional.of(new ApiParameter(place, required, form, null, declared));
    }
    return Optional.of(parameter(name, place, required, declared));
  }

  /** OpenAPI 3.2: one parameter that is the whole query. */
  private static ApiParameter ofWholeQuery(String name, ApiValue declared) {
    return new ApiParameter(
        ParameterPlace.QUERY,
        declared.flag("required"),
        new StyledParameter(name, ParameterStyle.FORM, true, false),
        "expected a parameter in path, query, header or cookie, found one in querystring, which is"
            + " not supported",
        declared);
  }

  private static ApiParameter parameter(
      String name, ParameterPlace place, boolean required, ApiValue declared) {
    if (declared.has("content")) {
      return new ApiParameter(place, required, ofContent(name, place, declared), null, declared);
    }
    String word = declared.text("style");
    ParameterStyle usual = usual(place);
    ParameterStyle style = word.isEmpty() ? usual : STYLES.get(word);
    boolean fits = style != null && FITTING.getOrDefault(place, Set.of()).contains(style);
    ParameterStyle used = style == null ? usual : style;
    boolean explode =
        declared.has("explode") ? declared.flag("explode") : used == ParameterStyle.FORM;
    return new ApiParameter(
        place,
        required,
        new StyledParameter(name, used, explode, declared.flag("allowReserved")),
        fits ? null : problem(place, word),
        declared);
  }

  private static String problem(ParameterPlace place, String word) {
    List<String> fitting =
        STYLES.entrySet().stream()
            .filter(each -> FITTING.getOrDefault(place, Set.of()).contains(each.getValue()))
            .map(Map.Entry::getKey)
            .sorted()
            .toList();
    return "expected a style of a parameter in "
        + place.word()
        + " ("
        + String.join(", ", fitting)
        + "), found \""
        + word
        + "\"";
  }

  /** A parameter that is a document of its own: JSON, or a text. */
  private static StyledParameter ofContent(String name, ParameterPlace place, ApiValue declared) {
    boolean isJson =
        declared.members("content").stream()
            .findFirst()
            .map(each -> MediaRange.of(each.name()).isJson())
            .orElse(true);
    return new StyledParameter(name, isJson ? ParameterStyle.JSON : usual(place), false, false);
  }

  private static ParameterStyle usual(ParameterPlace place) {
    return switch (place) {
      case PATH, HEADER -> ParameterStyle.SIMPLE;
      case QUERY, COOKIE -> ParameterStyle.FORM;
    };
  }

  private static StyledParameter formerForm(String name, ParameterPlace place, ApiValue declared) {
    ParameterStyle style = formerStyle(declared);
    return new StyledParameter(
        name, style == ParameterStyle.FORM ? usual(place) : style, isMulti(declared), false);
  }

  private static boolean isMulti(ApiValue declared) {
    return declared.text("collectionFormat").equals("multi");
  }

  private static ParameterStyle formerStyle(ApiValue declared) {
    return switch (declared.text("collectionFormat")) {
      case "ssv" -> ParameterStyle.SPACE_DELIMITED;
      case "tsv" -> ParameterStyle.TAB_DELIMITED;
      case "pipes" -> ParameterStyle.PIPE_DELIMITED;
      default -> ParameterStyle.FORM;
    };
  }

  /** How a field of a form of OpenAPI 2 becomes text. */
  static StyledParameter formerField(ApiValue declared) {
    return new StyledParameter(
        declared.text("name"), formerStyle(declared), isMulti(declared), false);
  }
}

package dev.pinion.core.openapi;

import dev.pinion.core.template.parameter.ParameterStyle;
import dev.pinion.core.template.parameter.StyledParameter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads how an operation wants its callers to authenticate themselves. */
final class SecurityReader {
  private static final String SECURITY = "security";

  private final ApiValue root;
  private final @Nullable ApiValue schemes;

  SecurityReader(ApiValue root, boolean isSecondGeneration) {
    this.root = root;
    ApiValue components = root.member("components");
    this.schemes =
        isSecondGeneration
            ? root.member("securityDefinitions")
            : components == null ? null : components.member("securitySchemes");
  }

  /** The ways to authenticate a call of an operation, each a list of schemes that it needs. */
  List<List<ApiSecurityScheme>> of(FoundOperation found) {
    ApiValue owner = found.operation().has(SECURITY) ? found.operation() : root;
    return owner.items(SECURITY).stream()
        .map(each -> each.members().stream().map(member -> scheme(member.name())).toList())
        .toList();
  }

  private ApiSecurityScheme scheme(String name) {
    ApiValue declared = schemes == null ? null : schemes.member(name);
    ApiValue scheme = declared == null ? null : ApiReferences.within(declared);
    if (scheme == null) {
      return new ApiSecurityScheme(name, "unknown", null);
    }
    String type = scheme.text("type");
    return switch (type) {
      case "apiKey" -> new ApiSecurityScheme(name, type, key(scheme));
      case "http" ->
          new ApiSecurityScheme(name, scheme.text("scheme").toLowerCase(Locale.ROOT), null);
      default -> new ApiSecurityScheme(name, type, null);
    };
  }

  private static @Nullable ApiParameter key(ApiValue scheme) {
    String name = scheme.text("name");
    ParameterPlace in = ParameterPlace.of(scheme.text("in")).orElse(null);
    if (in == null || in == ParameterPlace.PATH || name.isEmpty()) {
      return null;
    }
    ParameterStyle style =
        in == ParameterPlace.HEADER ? ParameterStyle.SIMPLE : ParameterStyle.FORM;
    StyledParameter form = new StyledParameter(name, style, false, false);
    return new ApiParameter(in, false, form, null, scheme);
  }
}

package dev.pinion.core.language.call;

import dev.pinion.core.binding.AbstractServiceUri;
import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.jq.code.ExpressionLocation;
import dev.pinion.core.language.call.OpenApiArguments.GivenBody;
import dev.pinion.core.language.call.OpenApiArguments.GivenParameter;
import dev.pinion.core.language.call.OpenApiOperations.CalledOperation;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.Placeholders;
import dev.pinion.core.language.field.VisibleVariables;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.openapi.ApiOperation;
import dev.pinion.core.openapi.ApiParameter;
import dev.pinion.core.openapi.ParameterPlace;
import dev.pinion.core.template.ConstantExpressions;
import dev.pinion.core.template.HttpCallTemplate;
import dev.pinion.core.template.MemberBody;
import dev.pinion.core.template.NameValuePairs;
import dev.pinion.core.template.parameter.BoundParameter;
import dev.pinion.core.template.parameter.FormBody;
import dev.pinion.core.template.parameter.FormField;
import dev.pinion.core.template.parameter.MultipartBody;
import dev.pinion.core.template.parameter.OperationUri;
import dev.pinion.core.template.parameter.StyledCookies;
import dev.pinion.core.template.parameter.StyledHeader;
import dev.pinion.core.template.parameter.StyledQuery;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes the template of one call of an operation from its arguments. */
final class OpenApiRequest {
  private final CalledOperation called;
  private final ApiOperation operation;
  private final OpenApiArguments arguments;
  private final ExpressionFieldCompiler expressions;
  private final VisibleVariables visible;
  private final DeferredParts parts;
  private final Diagnostics diagnostics;

  /**
   * A request.
   *
   * @param parts takes what the Invoker evaluates
   */
  OpenApiRequest(
      CalledOperation called,
      OpenApiArguments arguments,
      ExpressionFieldCompiler expressions,
      VisibleVariables visible,
      DeferredParts parts,
      Diagnostics diagnostics) {
    this.called = called;
    this.operation = called.operation();
    this.arguments = arguments;
    this.expressions = expressions;
    this.visible = visible;
    this.parts = parts;
    this.diagnostics = diagnostics;
  }

  /**
   * The template.
   *
   * @param parameters the parameters in the definition, or else the arguments of the call
   * @param id the id of the operation in the definition
   */
  HttpCallTemplate template(
      DocumentValue parameters, DocumentValue id, HttpCall.Output output, boolean acceptRedirects) {
    Expression<String> uri = uri(parameters, id);
    NameValuePairs headers = headers(parameters);
    Expression<Payload> body = body(parameters);
    return new HttpCallTemplate(
        operation.method(),
        uri,
        headers,
        NameValuePairs.NONE,
        body,
        output,
        acceptRedirects,
        parts.template());
  }

  private List<GivenParameter> in(ParameterPlace place) {
    return arguments.parameters().stream().filter(each -> each.parameter().in() == place).toList();
  }

  private boolean isDeferred(GivenParameter given) {
    return parts.defers(given.value());
  }

  private BoundParameter bound(GivenParameter given) {
    ApiParameter parameter = given.parameter();
    return new BoundParameter(
        parameter.form(),
        parameter.in().word(),
        parameter.required(),
        expressions.template(given.value(), visible.ofCall()),
        ExpressionFieldCompiler.location(given.value()));
  }

  private List<BoundParameter> allBound(List<GivenParameter> given) {
    return given.stream().map(this::bound).toList();
  }

  /** The URI; a text that stands for it in messages where its path uses secrets. */
  private Expression<String> uri(DocumentValue parameters, DocumentValue id) {
    noteServer(id);
    List<GivenParameter> inPath = in(ParameterPlace.PATH);
    List<GivenParameter> inQuery = in(ParameterPlace.QUERY);
    Map<String, BoundParameter> variables = new LinkedHashMap<>();
    inPath.forEach(each -> variables.put(each.parameter().name(), bound(each)));
    if (!variables.keySet().containsAll(OperationUri.names(operation.path()))) {
      inQuery.forEach(each -> template(each.value())); // reports their problems
      return Placeholders.expression();
    }
    if (inPath.stream().anyMatch(this::isDeferred)) {
      refuseAbstractServer(parameters);
      parts.endpoint(parameters, of(variables, allBound(inQuery)));
      String shown = operation.server() + operation.path();
      return (input, scope, budget) -> shown;
    }
    Map<Boolean, List<GivenParameter>> byTime =
        inQuery.stream().collect(Collectors.partitioningBy(this::isDeferred));
    List<GivenParameter> later = byTime.getOrDefault(true, List.of());
    if (!later.isEmpty()) {
      parts.wholeQuery(parameters, new StyledQuery(allBound(later)));
    }
    return of(variables, allBound(byTime.getOrDefault(false, List.of())));
  }

  private void noteServer(DocumentValue id) {
    String service = AbstractServiceUri.service(operation.server());
    if (service == null) {
      diagnostics.addOrigin(origin(operation.server()));
    } else {
      diagnostics.addService(id, service);
    }
  }

  private void refuseAbstractServer(DocumentValue parameters) {
    if (AbstractServiceUri.service(operation.server()) != null) {
      diagnostics.value(
          parameters,
          "expected a server of scheme http or https where the path needs secrets, found scheme"
              + " svc, whose service is chosen before");
    }
  }

  private OperationUri of(Map<String, BoundParameter> variables, List<BoundParameter> query) {
    return OperationUri.of(operation.server(), operation.path(), variables, new StyledQuery(query));
  }

  /** Scheme and authority. */
  private static String origin(String server) {
    int path = server.indexOf('/', server.indexOf("://") + 3);
    return path < 0 ? server + "/" : server.substring(0, path + 1);
  }

  private NameValuePairs headers(DocumentValue parameters) {
    List<NameValuePairs.Member> fields = new ArrayList<>();
    String place = ExpressionLocation.atPointer(parameters.pointer());
    GivenBody body = arguments.body();
    if (body != null) {
      fields.add(fixed("Content-Type", body.content().type().text(), place));
    }
    if (!operation.accept().isEmpty() && !hasAccept()) {
      fields.add(fixed("Accept", operation.accept(), place));
    }
    for (GivenParameter each : in(ParameterPlace.HEADER)) {
      String name = each.parameter().name();
      refuseSecondAuthorization(each);
      add(each.value(), field(name, new StyledHeader(bound(each)), each.value()), fields);
    }
    List<GivenParameter> cookies = in(ParameterPlace.COOKIE);
    if (!cookies.isEmpty()) {
      boolean later = cookies.stream().anyMatch(this::isDeferred);
      DocumentValue source = later ? parameters : cookies.getFirst().value();
      add(source, field("Cookie", new StyledCookies(allBound(cookies)), source), fields);
    }
    return NameValuePairs.of(fields);
  }

  private boolean hasAccept() {
    return in(ParameterPlace.HEADER).stream().anyMatch(each -> each.parameter().isNamed("Accept"));
  }

  private void refuseSecondAuthorization(GivenParameter given) {
    if (given.parameter().isNamed("Authorization") && parts.hasAuthentication()) {
      diagnostics.key(
          given.value(),
          "expected no parameter Authorization beside the authentication of the call, which sets"
              + " that header field");
    }
  }

  private static NameValuePairs.Member fixed(String name, String value, String place) {
    return new NameValuePairs.Member(name, ConstantExpressions.of(Payload.of(value)), place);
  }

  private static NameValuePairs.Member field(
      String name, Expression<Payload> value, DocumentValue source) {
    return new NameValuePairs.Member(name, value, ExpressionFieldCompiler.location(source));
  }

  private void add(
      DocumentValue source, NameValuePairs.Member field, List<NameValuePairs.Member> fields) {
    if (parts.defers(source)) {
      parts.header(source, field);
    } else {
      fields.add(field);
    }
  }

  private @Nullable Expression<Payload> body(DocumentValue parameters) {
    GivenBody given = arguments.body();
    if (given == null) {
      return null;
    }
    DocumentValue whole = given.whole();
    Expression<Payload> made = whole == null ? members(given) : template(whole);
    String place = ExpressionFieldCompiler.location(whole == null ? parameters : whole);
    Expression<Payload> sent = inForm(given, made, place);
    boolean isDeferred =
        whole == null
            ? given.members().values().stream().anyMatch(parts::defers)
            : parts.defers(whole);
    if (!isDeferred) {
      return sent;
    }
    parts.body(whole == null ? parameters : whole, sent);
    return null;
  }

  private Expression<Payload> template(DocumentValue value) {
    return expressions.template(value, visible.ofCall());
  }

  private MemberBody members(GivenBody given) {
    List<NameValuePairs.Member> members = new ArrayList<>();
    given.members().forEach((name, value) -> members.add(field(name, template(value), value)));
    return new MemberBody(members);
  }

  private Expression<Payload> inForm(GivenBody given, Expression<Payload> made, String place) {
    boolean isForm = given.content().type().isForm();
    if (!isForm && !given.content().type().isMultipartForm()) {
      return made;
    }
    Map<String, FormField> fields = new LinkedHashMap<>();
    called
        .reader()
        .fields(given.content())
        .forEach((name, field) -> fields.put(name, field.form()));
    return isForm ? new FormBody(made, fields, place) : new MultipartBody(made, fields, place);
  }
}

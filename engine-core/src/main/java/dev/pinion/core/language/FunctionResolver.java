package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.language.FunctionCallCompiler.CalledFunction;
import dev.pinion.core.language.call.ServiceCallCompiler;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.KnownMembers;
import dev.pinion.core.language.field.KnownNames;
import dev.pinion.core.language.field.Surroundings;
import dev.pinion.core.language.reference.ExternalDocuments;
import dev.pinion.core.language.reference.ExternalDocuments.ExternalDocument;
import dev.pinion.core.language.reference.FunctionCatalogs;
import dev.pinion.core.language.reference.FunctionCatalogs.CatalogedName;
import dev.pinion.core.language.reference.ReusableComponents;
import dev.pinion.core.model.SpellingSuggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the functions that the tasks of one document call: of {@code use.functions}, of a catalog,
 * or at a URI.
 */
final class FunctionResolver {
  private final ReusableComponents.ComponentGroup declared;
  private final FunctionCatalogs catalogs;
  private final DocumentFunctions external;
  private final TaskListCompiler.SingleTaskCompiler tasks;
  private final Diagnostics diagnostics;

  /**
   * Functions in documents of their own.
   *
   * @param documents the documents
   * @param compilers compilers of the tasks of a document
   * @param base URI of the document whose tasks call, or null for a definition
   */
  record DocumentFunctions(
      ExternalDocuments documents,
      Function<ExternalDocument, TaskListCompiler.SingleTaskCompiler> compilers,
      @Nullable String base) {}

  /**
   * A resolver.
   *
   * @param tasks compiles the tasks of the document
   */
  FunctionResolver(
      ReusableComponents reusableComponents,
      DocumentFunctions external,
      TaskListCompiler.SingleTaskCompiler tasks,
      Diagnostics diagnostics) {
    this.declared = reusableComponents.functions();
    this.catalogs = reusableComponents.catalogs();
    this.external = external;
    this.tasks = tasks;
    this.diagnostics = diagnostics;
  }

  /** Whether the definition declares the function of a call, or the catalog that has it. */
  boolean isDeclared(DocumentValue call) {
    CatalogedName name = CatalogedName.of(call.text());
    return declared.has(call.text()) || (name != null && catalogs.has(name.catalog()));
  }

  /** The function of a call, or null when there is none, which is reported. */
  @Nullable CalledFunction resolve(DocumentValue call) {
    DocumentValue function = declared.find(call.text());
    if (function != null) {
      return new CalledFunction(call.text(), function, tasks, FlowTargets.ofFunction(diagnostics));
    }
    CatalogedName name = CatalogedName.of(call.text());
    String uri = null;
    if (name != null && !isDefault(name)) {
      uri = catalogs.uri(name, call, diagnostics);
    } else if (call.text().contains(":/")) {
      uri = ExternalDocuments.resolveWhole(call, external.base(), diagnostics);
    } else {
      refuse(call);
    }
    ExternalDocument document =
        uri == null ? null : external.documents().get(uri, call, diagnostics);
    return document == null
        ? null
        : new CalledFunction(
            document.uri(),
            document.root(),
            external.compilers().apply(document),
            FlowTargets.ofFunction(document.diagnostics()));
  }

  private boolean isDefault(CatalogedName name) {
    return name.catalog().equals(FunctionCatalogs.DEFAULT) && !catalogs.has(name.catalog());
  }

  private void refuse(DocumentValue call) {
    List<String> known = new ArrayList<>(ServiceCallCompiler.PROTOCOLS);
    known.addAll(declared.names());
    known.add(CallTaskCompiler.PARALLEL_FOR_EACH);
    diagnostics.value(
        call,
        "expected a function to call (of use.functions: "
            + KnownNames.listed(declared.names())
            + "; else "
            + String.join(", ", ServiceCallCompiler.PROTOCOLS)
            + ", "
            + CallTaskCompiler.PARALLEL_FOR_EACH
            + ", name:version@catalog or a URI), found "
            + ValueDescription.describe(call.json()),
        () -> SpellingSuggestion.of(call.text(), known));
  }

  /** Checks functions that no task calls. */
  void checkUnused() {
    for (DocumentValue function : declared.unused()) {
      CalledFunction unused =
          new CalledFunction(function.name(), function, tasks, FlowTargets.ofFunction(diagnostics));
      unused.compile(
          Surroundings.DEFINITION.called("", function.pointer(), function.name(), function.name()),
          KnownMembers.ANY);
      if (ServiceCallCompiler.PROTOCOLS.contains(function.name())) {
        diagnostics.warn(
            function.keyOffset(),
            function.pointer(),
            "expected another name of a function, as a call of "
                + function.name()
                + " is one of the language",
            () -> null);
      }
    }
  }
}

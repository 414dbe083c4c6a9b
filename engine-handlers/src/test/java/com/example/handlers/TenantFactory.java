package com.example.handlers;

import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.api.Work;
import java.util.List;

/** Adds the tenant of a request to its body, and refuses requests of unknown tenants. */
public final class TenantFactory implements HandlerFactory {
  /** For the service loader. */
  public TenantFactory() {}

  @Override
  public String name() {
    return "tenant";
  }

  @Override
  public String summary() {
    return "Puts the tenant of a request into its body; refuses unknown ones.";
  }

  @Override
  public Handler create(Settings settings) {
    List<String> known = settings.texts("known");
    if (known.isEmpty()) {
      settings.problem("known", "expected the names of tenants, found none");
    }
    return new Tenant(List.copyOf(known));
  }

  private record Tenant(List<String> known) implements Handler {
    private static final String HEADER = "header.x-tenant";

    @Override
    public Declaration declaration() {
      return Declaration.NOTHING
          .reading(Slot.property(HEADER))
          .writing(Slot.body("/tenant"))
          .stopping()
          .mandatory()
          .with(Work.CHEAP);
    }

    @Override
    public Verdict handle(View message) {
      String tenant = message.property(HEADER, "");
      return known.contains(tenant)
          ? Verdict.goOn(Changes.NONE.json("/tenant", Payload.of(tenant)))
          : Verdict.refuse(
              "https://example.com/problems/unknown-tenant",
              "Unknown tenant",
              403,
              "expected X-Tenant to be a known tenant, found \"" + tenant + "\"");
    }
  }
}

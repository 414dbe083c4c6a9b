package dev.pinion.core.template;

import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A body that is an object of members, each made by itself. Immutable.
 *
 * @param members the members, in order
 */
public record MemberBody(List<NameValuePairs.Member> members) implements Expression<Payload> {
  /** Copies the list. */
  public MemberBody {
    members = List.copyOf(members);
  }

  @Override
  public Payload evaluate(Payload input, Scope scope, Budget budget) {
    Map<String, Payload> body = new LinkedHashMap<>();
    for (NameValuePairs.Member member : members) {
      budget.charge(1);
      body.put(member.name(), member.value().evaluate(input, scope, budget));
    }
    return Payload.object(body);
  }
}

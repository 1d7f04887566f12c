"""What users of a bookshop make. Not responsible for: what is done with it."""

from simulator.domain import Edit, Message, Reaction, Thing

BOOK = Thing(
    name="book",
    made_by="list_books",
    making="list book",
    variable="book.{index}.title",
    create="sell",
    list="my_items",
    data="books",
    fields=("title", "author", "genre", "condition", "price", "description"),
    edit=Edit(fields=("price", "description")),
    delete=True,
    react=(Reaction(button="save"),),
    message=Message(data="messages", by="message", said="sent"),
)
VOTE = Reaction(button="vote", once=True)
MATCHUP = Thing(
    name="matchup",
    made_by="create_matchup",
    making="start matchup",
    create="new_matchup",
    list="matchups",
    react=(VOTE,),
)

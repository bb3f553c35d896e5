// The styles of the panel, wherever it is shown.
import "../panel.css";
import "../../ui/questions.css";
import "../costs/costs.css";
import "../forms.css";
import "../machine-use.css";
import "../now/cards.css";
import "../now/glance.css";
